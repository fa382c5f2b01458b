import { useEffect, useRef } from "react";
import type { Product } from "../../../../api/entities.ts";
import { refusals } from "../../../../shop/texts/refusals.ts";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { draftOf, ofOptionalTexts, optionalTexts, type ProductDraft } from "./product-draft.ts";

interface EditConflictProps {
  base: Product;
  theirs: Product;
  draft: ProductDraft;
  onResolve: (theirs: Product, keep: "mine" | "theirs") => void;
}

const fieldLabels: Record<keyof ProductDraft, string> = {
  name: "Name",
  price: "Price",
  quantity: "Quantity",
  minimum_order: "Minimum order",
  order_multiple: "Sold in multiples of",
  reorderPoint: "Reorder point",
  price_breaks: "Price breaks",
  description: "Description",
  picture: "Picture",
  ...ofOptionalTexts((name) => optionalTexts[name].label),
  technicalData: "Technical data",
  dimensions: "Size",
  drawnBox: "Drawing box",
  archived: "Archived",
};

/** Shows the fields that another admin changed meanwhile, with both values, and a choice for each. */
export function EditConflict({ base, theirs, draft, onResolve }: EditConflictProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const [mine, current, original] = [
    formatDraft(draft),
    formatDraft(draftOf(theirs)),
    formatDraft(draftOf(base)),
  ];
  const differing = (Object.keys(fieldLabels) as (keyof ProductDraft)[]).filter(
    // the form does not load the reorder point
    (name) => mine[name] !== current[name] && (name !== "reorderPoint" || base.reorderPoint !== undefined),
  );

  const cellContent = (name: keyof ProductDraft, values: typeof mine) =>
    values[name] === original[name] ? <span className="muted">not changed</span> : values[name] || "empty";

  return (
    <div className="conflict" role="alert" tabIndex={-1} ref={box}>
      <p className="conflict__hd">
        <Icon name="alert" />
        <b>{refusals.productChanged}</b>
      </p>
      <table className="conflict__tbl">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">You</th>
            <th scope="col">Other admin</th>
          </tr>
        </thead>
        <tbody>
          {differing.map((name) => (
            <tr key={name}>
              <th scope="row">{fieldLabels[name]}</th>
              <td>{cellContent(name, mine)}</td>
              <td>{cellContent(name, current)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="conflict__ft">
        <Button onClick={() => onResolve(theirs, "theirs")}>Discard my changes</Button>
        <Button look="ink" onClick={() => onResolve(theirs, "mine")}>
          Keep my changes
        </Button>
      </div>
    </div>
  );
}

function formatDraft(draft: ProductDraft): Record<keyof ProductDraft, string> {
  return {
    ...draft,
    price_breaks: draft.price_breaks.map(({ quantity, price }) => `${quantity}: ${price}`).join("; "),
    technicalData: draft.technicalData.map(({ name, value }) => `${name}: ${value}`).join("; "),
    dimensions: Object.values(draft.dimensions).filter(Boolean).join(" × "),
    drawnBox: draft.drawnBox.filter(Boolean).join(", "),
  };
}
