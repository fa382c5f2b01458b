import { type KeyboardEvent, useEffect, useRef, useState } from "react";

interface PadCellProps {
  /** the name of its column, for the arrow keys */
  column: string;
  label: string;
  value: string;
  numeric?: boolean;
  /** the id of its error message */
  problem?: string | undefined;
  onCommit: (typed: string) => void;
  /** Alt with an arrow key; `typed` is not committed, null if nothing was typed */
  onStep?: (direction: 1 | -1, typed: string | null) => void;
  /** opens an editor in place of the text on Enter, F2 or a double click; typing still replaces the text */
  onOpen?: (() => void) | undefined;
}

/** Typing replaces the text, Enter starts editing; Enter or leaving commits, Escape reverts. */
export function PadCell(props: PadCellProps) {
  const { column, label, value, numeric, problem, onCommit, onStep, onOpen } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [editing, setEditing] = useState(false);

  const field = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value, such as of a reload, is not selected
  useEffect(() => {
    if (!editing && field.current === document.activeElement) field.current?.select();
  }, [editing, value]);

  // Enter moves the focus, and the blur must not commit the same text again before the next render
  const pending = useRef<string | null>(null);

  function commit() {
    const text = pending.current?.trim();
    pending.current = null;
    if (text !== undefined && text !== value) onCommit(text);
    setTyped(null);
    setEditing(false);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const { key, altKey, currentTarget: input } = event;
    if (event.nativeEvent.isComposing) return;
    if (altKey && (key === "ArrowUp" || key === "ArrowDown") && onStep) {
      event.preventDefault();
      onStep(key === "ArrowUp" ? 1 : -1, pending.current);
      pending.current = null;
      commit();
    } else if ((key === "Enter" || key === "F2") && !editing) {
      event.preventDefault();
      event.stopPropagation();
      if (onOpen) return onOpen();
      setEditing(true);
      input.setSelectionRange(input.value.length, input.value.length);
    } else if (key === "Enter") commit();
    else if (key === "Escape" && editing) {
      event.stopPropagation();
      pending.current = null;
      setTyped(null);
      setEditing(false);
    }
  }

  return (
    <input
      ref={field}
      className="pad__in"
      data-cell={column}
      data-editing={editing || undefined}
      tabIndex={-1}
      aria-label={label}
      aria-invalid={problem ? true : undefined}
      aria-describedby={problem}
      inputMode={numeric ? "numeric" : undefined}
      autoComplete="off"
      spellCheck={false}
      value={typed ?? value}
      onChange={({ target }) => {
        pending.current = target.value;
        setTyped(target.value);
        setEditing(true);
      }}
      onFocus={({ target }) => target.select()}
      onClick={() => !onOpen && setEditing(true)}
      onDoubleClick={onOpen}
      onBlur={commit}
      onKeyDown={onKeyDown}
    />
  );
}
