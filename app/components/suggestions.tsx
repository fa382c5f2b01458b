import { type RefObject, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { Link, useLocation, useNavigate, useNavigation } from "react-router";
import type { Output } from "../../api/contract.ts";
import { counted, dollars } from "./format.ts";
import { Icon } from "./icon.tsx";
import { Picture } from "./picture.tsx";
import { useListener } from "./use-listener.ts";

/** The ARIA attributes of the field about its list. */
export interface Expanded {
  "aria-expanded": boolean;
  "aria-controls"?: string;
  "aria-activedescendant"?: string | undefined;
}

export interface SuggestionsProps {
  field: RefObject<HTMLInputElement | null>;
  /** the page itself shows the results */
  off: boolean;
  onExpand: (expanded: Expanded) => void;
}

const PAUSE_MS = 120;
const MIN_LENGTH = 2;

/** Arrow keys select, Enter opens the selection or all results, Escape closes. */
export default function Suggestions({ field: { current: input }, off, onExpand }: SuggestionsProps) {
  const field = input as HTMLInputElement;
  const [typed, setTyped] = useState(field.value);
  const [focused, setFocused] = useState(document.activeElement === field);
  const wanted = focused && !off;
  const [active, setActive] = useState(-1);
  const navigate = useNavigate();
  const list = useId();
  const q = typed.trim();
  const found = useTools(wanted ? q : "");
  const targets = found
    ? [...found.tools.map(({ _id }) => `/product/${_id}`), `/tools?${new URLSearchParams({ q })}`]
    : [];
  const open = wanted && q.length >= MIN_LENGTH && found !== undefined;
  const hasList = open && targets.length > 1;

  // before the next paint and key: a screen reader follows these attributes
  useLayoutEffect(() => {
    onExpand(
      hasList
        ? {
            "aria-expanded": true,
            "aria-controls": list,
            "aria-activedescendant": active >= 0 ? `${list}-${active}` : undefined,
          }
        : { "aria-expanded": false },
    );
    return () => onExpand({ "aria-expanded": false });
  }, [hasList, active, list, onExpand]);

  useEffect(() => {
    const onInput = () => {
      setTyped(field.value);
      setFocused(true);
      setActive(-1);
    };
    const close = () => {
      setFocused(false);
      setActive(-1);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (off || event.isComposing) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) {
        event.preventDefault();
        setFocused(true);
        if (!hasList) return;
        // one more state than options: none is active
        const states = targets.length + 1;
        setActive(((active + 1 + step + states) % states) - 1);
      } else if (event.key === "Enter") {
        close();
        const to = hasList && targets[active];
        if (!to) return;
        event.preventDefault();
        navigate(to);
      } else if (event.key === "Escape" && open) {
        event.preventDefault();
        close();
      }
    };
    field.addEventListener("input", onInput);
    field.addEventListener("keydown", onKeyDown);
    field.addEventListener("blur", close);
    return () => {
      field.removeEventListener("input", onInput);
      field.removeEventListener("keydown", onKeyDown);
      field.removeEventListener("blur", close);
    };
  });

  // typed between the first render and now
  useEffect(() => setTyped(field.value), [field]);
  useEmptyOnLeave(field, () => setTyped(""));

  if (!open) return null;
  if (!found) return <NoSuggestions>Suggestions could not be loaded. Press Enter to search.</NoSuggestions>;
  const { tools, total, unknownNumber } = found;
  if (tools.length === 0) return <NoSuggestions>No tool matches “{found.q}”.</NoSuggestions>;
  const option = (at: number) => ({
    id: `${list}-${at}`,
    role: "option" as const,
    "aria-selected": at === active,
    tabIndex: -1,
    to: targets[at] as string,
    onClick: () => setFocused(false),
  });
  return (
    <div className="sugg" onPointerDown={(event) => event.preventDefault()}>
      <p className="vh" role="status">
        {counted(tools.length, "suggestion")}
      </p>
      {unknownNumber && (
        <p className="sugg__none" role="status">
          No tool has the number “{found.q}”. Similar:
        </p>
      )}
      <div role="listbox" id={list} aria-label="Suggestions">
        {tools.map((tool, at) => (
          <Link key={tool._id} className="sugg__row" {...option(at)}>
            <Picture src={tool.picture} alt="" />
            <span className="sugg__name">
              {tool.name}
              <small>{tool.itemNumber}</small>
            </span>
            <b className="num">{dollars(tool.price)}</b>
          </Link>
        ))}
        <Link className="sugg__row sugg__all" {...option(tools.length)}>
          {`Show ${counted(total, "tool")}`}
          <Icon name="right" />
        </Link>
      </div>
    </div>
  );
}

/** A search belongs to the page it was made on; typed while the next one loads, to that. */
function useEmptyOnLeave(field: HTMLInputElement, onEmpty: () => void): void {
  const { pathname } = useLocation();
  const isLoading = useNavigation().state !== "idle";
  const last = useRef(pathname);
  const isForNext = useRef(isLoading);
  useListener("input", ({ target }) => {
    if (target === field) isForNext.current = isLoading;
  });
  const empty = useEffectEvent(() => {
    field.value = "";
    onEmpty();
  });
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    if (pathname !== "/tools" && !isForNext.current) empty();
    isForNext.current = false;
  }, [pathname]);
}

function NoSuggestions({ children }: { children: React.ReactNode }) {
  return (
    <p className="sugg sugg__none" role="status">
      {children}
    </p>
  );
}

/** With the text that was searched for. */
type Found = Output<"suggestTools"> & { q: string };

/** The suggestions, debounced; null if they cannot be loaded. Until then the previous ones. */
function useTools(q: string): Found | null | undefined {
  const [found, setFound] = useState<Found | null>();
  useEffect(() => {
    if (q.length < MIN_LENGTH) {
      setFound(undefined);
      return;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      fetchTools(q, stop.signal).then(setFound, () => stop.signal.aborted || setFound(null));
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [q]);
  return found;
}

// without api-client.ts, whose messages and tokens would be loaded for a search
async function fetchTools(q: string, signal: AbortSignal): Promise<Found> {
  const response = await fetch(`/catalog/suggestions?${new URLSearchParams({ q })}`, { signal });
  if (!response.ok) throw new Error(`The store returned ${response.status}.`);
  return { ...(await response.json()), q };
}
