import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import type { CheckedLine } from "../../../api/cart-calls.ts";
import { Button } from "../../components/button.tsx";
import { FieldError } from "../../components/field.tsx";
import { counted, dollars } from "../../components/format.ts";
import { Picture } from "../../components/picture.tsx";
import { call } from "../../data/api-client.ts";
import { isTable } from "../cart/recognize-rows.ts";
import { type SuggestedTool, useToolSuggestions } from "../cart/use-tool-suggestions.ts";
import { parsePieces } from "./parse-pieces.ts";

interface AddLineFormProps {
  /** adds a line, or focuses the existing line of the product */
  onAdd: (line: CheckedLine) => void;
  onPaste: (text: string) => void;
}

/** Adds a product by item number or name: a combobox, a quantity, and Enter. */
export function AddLineForm({ onAdd, onPaste }: AddLineFormProps) {
  const [text, setText] = useState("");
  const [quantity, setQuantity] = useState("");
  const [chosen, setChosen] = useState<SuggestedTool | null>(null);
  const [marked, setMarked] = useState(0);
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<{ field: "item" | "quantity"; text: string } | null>(null);
  const [near, setNear] = useState<NonNullable<CheckedLine["suggestions"]>>([]);
  const id = useId();
  const item = useRef<HTMLInputElement>(null);
  const pieces = useRef<HTMLInputElement>(null);
  const tools = useToolSuggestions(open ? text.trim() : "");
  const isOpen = open && tools.length > 0;

  function choose(tool: SuggestedTool) {
    setOpen(false);
    setChosen(tool);
    setText(tool.itemNumber ?? tool.name);
    setProblem(null);
    pieces.current?.focus();
  }

  async function add(product: { productId: string } | { text: string }) {
    const typed = quantity.trim() === "" ? undefined : parsePieces(quantity);
    if (typeof typed === "string") {
      setProblem({ field: "quantity", text: typed });
      return pieces.current?.focus();
    }
    setBusy(true);
    const outcome = await call("checkLines", {
      body: { lines: [{ ...product, ...(typed !== undefined && { quantity: typed }) }] },
    });
    setBusy(false);
    const line = outcome.ok ? outcome.data.lines[0] : undefined;
    const isGone = line?.code === "archived";
    setNear(line?.suggestions ?? []);
    if (!line?.productId || isGone) {
      setProblem({ field: "item", text: (outcome.ok ? line?.detail : outcome.detail) ?? "" });
      return item.current?.focus();
    }
    setText("");
    setQuantity("");
    setChosen(null);
    setProblem(null);
    item.current?.focus();
    onAdd(line);
  }

  function submit() {
    if (busy) return;
    if (text.trim() === "") {
      setProblem({ field: "item", text: "Enter an item number or a name." });
      return item.current?.focus();
    }
    void add(chosen ? { productId: chosen._id } : { text: text.trim() });
  }

  function onItemKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (isOpen && step) {
      event.preventDefault();
      setMarked((now) => (now + step + tools.length) % tools.length);
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      setOpen(false);
    } else if (event.key === "Enter" || (event.key === "Tab" && !event.shiftKey && isOpen)) {
      event.preventDefault();
      if (isOpen) choose(tools[marked] as SuggestedTool);
      else if (text.trim() !== "") pieces.current?.focus();
    }
  }

  function onItemPaste(event: ClipboardEvent) {
    const pasted = event.clipboardData.getData("text");
    if (!isTable(pasted)) return;
    event.preventDefault();
    onPaste(pasted);
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
          ref={item}
          id="list-entry"
          className="input"
          role="combobox"
          aria-label="Item number or name"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-list` : undefined}
          aria-activedescendant={isOpen ? `${id}-${marked}` : undefined}
          aria-autocomplete="list"
          aria-invalid={problem?.field === "item"}
          aria-describedby={problem ? `${id}-problem` : undefined}
          placeholder="Item number or name"
          autoComplete="off"
          spellCheck={false}
          maxLength={300}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setChosen(null);
            setMarked(0);
            setOpen(true);
          }}
          onKeyDown={onItemKey}
          onPaste={onItemPaste}
          onBlur={() => setOpen(false)}
        />
        {isOpen && (
          <div className="sugg list-sugg" role="listbox" id={`${id}-list`} aria-label="Tools">
            {tools.map((tool, at) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keys
              <div
                key={tool._id}
                id={`${id}-${at}`}
                className="sugg__row"
                role="option"
                tabIndex={-1}
                aria-selected={at === marked}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(tool)}
              >
                <Picture src={tool.picture} alt="" />
                <span className="sugg__name">
                  {tool.name}
                  <small>{tool.itemNumber}</small>
                </span>
                <b className="num">{dollars(tool.price)}</b>
              </div>
            ))}
          </div>
        )}
      </span>
      <input
        ref={pieces}
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
          {near.map(({ productId, itemNumber, name }) => (
            <Button
              key={productId}
              size="sm"
              onClick={() => {
                setNear([]);
                void add({ productId });
              }}
            >
              {[itemNumber, name].filter(Boolean).join(", ")}
            </Button>
          ))}
        </div>
      )}
      <p className="vh" role="status">
        {isOpen ? counted(tools.length, "suggestion") : ""}
      </p>
    </form>
  );
}
