import type { ComponentProps } from "react";
import { TextField } from "../../components/field.tsx";

interface PasswordFieldProps extends ComponentProps<typeof TextField> {
  /** one that is being chosen */
  isNew?: boolean;
}

export function PasswordField({ isNew, ...field }: PasswordFieldProps) {
  return (
    <TextField
      type="password"
      autoComplete={isNew ? "new-password" : "current-password"}
      note={isNew && "At least 6 characters"}
      {...field}
    />
  );
}
