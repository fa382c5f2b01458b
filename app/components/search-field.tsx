import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Icon } from "./icon.tsx";

interface SearchFieldProps {
  /** what is searched, for a screen reader: "Search orders" */
  label: string;
  placeholder: string;
  value: string;
  /** called a moment after the last keystroke, and at once on Enter */
  onSearch: (value: string) => void;
}

const PAUSE_MS = 250;
/** For so long after a keystroke the address may still say what was sent before; what is being typed stays. */
const TYPING_MS = 1000;

/** Searches while one types. Escape empties it. */
export function SearchField({ label, placeholder, value, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const typedAt = useRef(0);

  useEffect(() => {
    // the address changed without us: a link, or the way back
    if (value === sent.current || Date.now() - typedAt.current < TYPING_MS) return;
    sent.current = value;
    setTyped(value);
  }, [value]);

  const sendTyped = useEffectEvent(() => send(typed));
  useEffect(() => {
    if (typed.trim() === sent.current) return;
    const timer = setTimeout(() => sendTyped(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  function send(text: string) {
    const trimmed = text.trim();
    if (trimmed === sent.current) return;
    sent.current = trimmed;
    onSearch(trimmed);
  }

  return (
    <search className="list-find">
      <Icon name="search" />
      <input
        className="input"
        type="search"
        maxLength={100}
        aria-label={label}
        placeholder={placeholder}
        value={typed}
        onChange={(event) => {
          typedAt.current = Date.now();
          setTyped(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") send(typed);
          if (event.key === "Escape") setTyped("");
        }}
      />
    </search>
  );
}
