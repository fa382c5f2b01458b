import { FormError, TextArea, TextField } from "../../components/field.tsx";
import { Specimen } from "./specimen.tsx";

export function Fields() {
  return (
    <Specimen name="Fields" span={12}>
      <FormError>This email address is already in use by another account.</FormError>
      <div className="two">
        <TextField label="Default" placeholder="Placeholder" />
        <TextField
          label="Filled"
          note="Optional"
          defaultValue="Canal Yard"
          hint="Where the pallet is unloaded."
        />
        <TextField label="Error" error="Address is required" />
        <TextField label="Disabled" defaultValue="Ingrid Halloran" disabled />
        <TextArea label="Text" defaultValue="We run twelve of these on two crews." />
        <TextArea label="Text with an error" error="Description is required" />
      </div>
    </Specimen>
  );
}
