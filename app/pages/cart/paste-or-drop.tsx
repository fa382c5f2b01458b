import { useRef } from "react";
import { MAX_LINES } from "../../../shop/cart/limits.ts";
import { Button } from "../../components/button.tsx";
import { count } from "../../components/format.ts";
import { Icon } from "../../components/icon.tsx";

interface PasteOrDropProps {
  onPaste: () => void;
  onFile: (file: File | undefined) => void;
}

/** The page accepts drops and pastes anywhere; this explains it and has buttons for both. */
export function PasteOrDrop({ onPaste, onFile }: PasteOrDropProps) {
  const file = useRef<HTMLInputElement>(null);
  return (
    <div className="cart__drop">
      <Icon name="copy" />
      <p>
        <b>Paste rows from a spreadsheet, or drop a CSV here.</b> Item number, then quantity. Up to{" "}
        {count(MAX_LINES)} lines.
      </p>
      <span className="cart__drop-acts">
        <Button size="sm" onClick={onPaste}>
          Paste rows
        </Button>
        <Button size="sm" onClick={() => file.current?.click()}>
          Choose a CSV
        </Button>
      </span>
      <input
        ref={file}
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        aria-label="CSV file"
        hidden
        onChange={({ target }) => {
          onFile(target.files?.[0]);
          target.value = "";
        }}
      />
    </div>
  );
}
