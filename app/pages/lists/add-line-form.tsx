import { useId, useRef, useState } from "react";
import type { CheckedLine } from "../../../api/cart-calls.ts";
import { Button } from "../../components/button.tsx";
import { FieldError } from "../../components/field.tsx";
import { counted, dollars } from "../../components/format.ts";
import { Picture } from "../../components/picture.tsx";
import { call } from "../../data/api-client.ts";
import { type SuggestedTool, useToolCombobox } from "../cart/use-tool-combobox.tsx";
import { parsePieces } from "./parse-pieces.ts";

interface AddLineFormProps {
  /** adds a line, or focuses the existing line of the product */
  onAdd: (line: CheckedLine) => void;
}

/** Adds a product by item number or name: a combobox, a quantity, and Enter. */
export function AddLineForm({ onAdd }: AddLineFormProps) {
  const [quantity, setQuantity] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<{ field: "item" | "quantity"; text: string } | null>(null);
  const [suggestions, setSuggestions] = useState<NonNullable<CheckedLine["suggestions"]>>([]);
  const id = useId();
  const itemInput = useRef<HTMLInputElement>(null);
  const quantityInput = useRef<HTMLInputElement>(null);
  const item = useToolCombobox(quantityInput, choose);

  function choose(tool: SuggestedTool) {
    item.setTool(tool);
    setProblem(null);
    quantityInput.current?.focus();
  }

  async function add(product: { productId: string } | { text: string }) {
    const typed = quantity.trim() === "" ? undefined : parsePieces(quantity);
    if (typeof typed === "string") {
      setProblem({ field: "quantity", text: typed });
      return quantityInput.current?.focus();
    }
    const entered = itemInput.current?.value;
    setBusy(true);
    const outcome = await call("checkLines", {
      body: { lines: [{ ...product, ...(typed !== undefined && { quantity: typed }) }] },
    });
    setBusy(false);
    const line = outcome.ok ? outcome.data.lines[0] : undefined;
    const isArchived = line?.code === "archived";
    setSuggestions(line?.suggestions ?? []);
    if (!line?.productId || isArchived) {
      setProblem({ field: "item", text: (outcome.ok ? line?.detail : outcome.detail) ?? "" });
      return itemInput.current?.focus();
    }
    setProblem(null);
    setQuantity((now) => (now === quantity ? "" : now));
    // otherwise the next tool is being typed already
    if (itemInput.current?.value === entered) {
      item.setTool(null);
      itemInput.current?.focus();
    }
    onAdd(line);
  }

  function submit() {
    if (busy) return;
    if (!item.typed) {
      setProblem({ field: "item", text: "Enter an item number or a name." });
      return itemInput.current?.focus();
    }
    void add(item.chosen ? { productId: item.chosen._id } : { text: item.typed });
  }

  return (
    <form
      className="list-entry"
      method="post"
      noValidate
      aria-label="Add a tool"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <span className="list-entry__item">
        <input
          ref={itemInput}
          id="list-entry"
          className="input"
          aria-label="Item number or name"
          aria-invalid={problem?.field === "item"}
          aria-describedby={problem ? `${id}-problem` : undefined}
          placeholder="Item number or name"
          {...item.input}
        />
        {item.renderList("sugg list-sugg", "sugg__row", (tool) => (
          <>
            <Picture src={tool.picture} alt="" />
            <span className="sugg__name">
              {tool.name}
              <small>{tool.itemNumber}</small>
            </span>
            <b className="num">{dollars(tool.price)}</b>
          </>
        ))}
      </span>
      <input
        ref={quantityInput}
        className="input list-entry__qty"
        aria-label="Quantity"
        aria-invalid={problem?.field === "quantity"}
        aria-describedby={problem ? `${id}-problem` : undefined}
        inputMode="numeric"
        autoComplete="off"
        placeholder="Quantity"
        maxLength={40}
        value={quantity}
        onChange={({ target }) => setQuantity(target.value)}
      />
      <Button type="submit" busy={busy}>
        Add line
      </Button>
      {problem && (
        <div className="list-entry__problem">
          <FieldError id={`${id}-problem`}>{problem.text}</FieldError>
          {suggestions.map(({ productId, itemNumber, name }) => (
            <Button
              key={productId}
              size="sm"
              onClick={() => {
                setSuggestions([]);
                void add({ productId });
              }}
            >
              {[itemNumber, name].filter(Boolean).join(", ")}
            </Button>
          ))}
        </div>
      )}
      <p className="vh" role="status">
        {item.count > 0 ? counted(item.count, "suggestion") : ""}
      </p>
    </form>
  );
}
