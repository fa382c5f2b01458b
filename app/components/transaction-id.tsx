import { IconButton } from "./button.tsx";
import { copyText } from "./copy-text.ts";

export function TransactionId({ id }: { id: string }) {
  return (
    <span className="txid">
      <span className="txid__text">
        <span className="t-label">Transaction id</span>
        <span className="tx">{id}</span>
      </span>
      <IconButton
        icon="copy"
        label={`Copy transaction id ${id}`}
        onClick={() => copyText(id, "Transaction id")}
      />
    </span>
  );
}
