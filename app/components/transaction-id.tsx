import { IconButton } from "./button.tsx";
import { toast } from "./toast.ts";

export function TransactionId({ id }: { id: string }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(id);
      toast.success("Transaction id copied");
    } catch {
      toast.error("The browser did not allow copying. Select the id and copy it.");
    }
  }
  return (
    <span className="txid">
      <span className="txid__text">
        <span className="t-label">Transaction id</span>
        <span className="tx">{id}</span>
      </span>
      <IconButton icon="copy" label={`Copy transaction id ${id}`} onClick={copy} />
    </span>
  );
}
