import { Link, useNavigate } from "react-router";
import type { ProductImport } from "../../../../api/import-calls.ts";
import { ActionButton } from "../../../components/action-button.tsx";
import { count, counted } from "../../../components/format.ts";
import { toast } from "../../../components/toast.ts";
import { call } from "../../../data/api-client.ts";
import { useRefusalToast } from "../use-refusal-toast.ts";

export function ApplyImport({
  productImport,
  onApplied,
}: {
  productImport: ProductImport;
  onApplied: () => void;
}) {
  const showRefusal = useRefusalToast();
  const total = productImport.changed + productImport.created;
  if (total === 0) {
    return <p className="soft import-none">There is nothing to apply: no row changes anything.</p>;
  }
  async function apply() {
    const outcome = await call("applyImport", { params: { id: productImport._id } });
    if (outcome.ok)
      toast.success(
        `${counted(total, "row")} ${total === 1 ? "is" : "are"} being applied. You can leave this page.`,
      );
    else showRefusal(outcome);
    onApplied();
  }
  return (
    <div className="panel po import-apply">
      <p>
        <b>Apply {counted(total, "row")}</b>{" "}
        <span className="soft">
          {count(productImport.changed)} change, {count(productImport.created)} new.
          {productImport.refused > 0 && ` Left out: ${counted(productImport.refused, "row")} with errors.`}
        </span>
      </p>
      <ActionButton look="primary" onClick={apply}>
        Apply {counted(total, "row")}
      </ActionButton>
    </div>
  );
}

export function UndoImport({
  productImport,
  onRefused,
}: {
  productImport: ProductImport;
  onRefused: () => void;
}) {
  const showRefusal = useRefusalToast();
  const navigate = useNavigate();
  const total = productImport.changed;
  if (total === 0) return null;
  async function undo() {
    const outcome = await call("undoImport", { params: { id: productImport._id } });
    if (outcome.ok) return navigate(`/dashboard/import/${outcome.data._id}`);
    showRefusal(outcome);
    onRefused();
  }
  return (
    <div className="panel import-apply">
      {productImport.undoneBy ? (
        <p>
          This is undone:{" "}
          <Link to={`/dashboard/import/${productImport.undoneBy}`}>see what was changed back</Link>.
        </p>
      ) : (
        <>
          <p>
            <b>Undo</b>{" "}
            <span className="soft">
              Gives {counted(total, "tool")} the earlier values, but not where a value was changed again
              since. Pieces that were sold stay sold.
            </span>
          </p>
          <ActionButton onClick={undo}>Undo</ActionButton>
        </>
      )}
    </div>
  );
}
