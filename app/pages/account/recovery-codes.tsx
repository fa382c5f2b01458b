import { Button } from "../../components/button.tsx";
import { copyText } from "../../components/copy-text.ts";

/** Shown once: the store keeps them encrypted. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <>
      <p className="soft">Save these recovery codes. Each works once if you lose the app.</p>
      <ul className="mono codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div>
        <Button size="sm" icon="copy" onClick={() => copyText(codes.join("\n"), "Recovery codes")}>
          Copy recovery codes
        </Button>
      </div>
    </>
  );
}
