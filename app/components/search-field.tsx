import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useNavigation } from "react-router";
import type { ListParams } from "../data/use-list-params.ts";
import { Icon } from "./icon.tsx";

export interface SearchFieldProps {
  params: ListParams;
  /** for screen readers: "Search orders" */
  label: string;
  placeholder: string;
}

const PAUSE_MS = 250;
/** For this long after a keystroke the URL may be older than the text, so it does not replace it yet. */
const TYPING_MS = 1000;

/** Searches a list after a short pause in typing, and at once on Enter. Escape clears the text, which is in the URL. */
export function SearchField({ params, label, placeholder }: SearchFieldProps) {
  const value = params.get("q") ?? "";
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const typedAt = useRef(0);
  const isLoading = useNavigation().state !== "idle";

  useEffect(() => {
    if (isLoading || value === sent.current) return;
    // the URL changed otherwise, by a link or Back, or a link replaced the search before its results arrived
    const adopt = () => {
      if (Date.now() - typedAt.current < TYPING_MS) return;
      sent.current = value;
      setTyped(value);
    };
    adopt();
    const timer = setTimeout(adopt, TYPING_MS);
    return () => clearTimeout(timer);
  }, [value, isLoading]);

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
    params.set({ q: trimmed }, { replace: true });
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
