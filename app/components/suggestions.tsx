import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import type { Output } from "../../api/contract.ts";
import { counted, dollars } from "./format.ts";
import { Icon } from "./icon.tsx";
import { Picture } from "./picture.tsx";

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
  const [chosen, setChosen] = useState(-1);
  const navigate = useNavigate();
  const list = useId();
  const q = typed.trim();
  const found = useTools(wanted ? q : "");
  const places = found
    ? [...found.tools.map(({ _id }) => `/product/${_id}`), `/tools?${new URLSearchParams({ q })}`]
    : [];
  const open = wanted && q.length >= MIN_LENGTH && found !== undefined;
  const hasList = open && places.length > 1;

  // before the next paint and key: a screen reader follows these attributes
  useLayoutEffect(() => {
    onExpand(
      hasList
        ? {
            "aria-expanded": true,
            "aria-controls": list,
            "aria-activedescendant": chosen >= 0 ? `${list}-${chosen}` : undefined,
          }
        : { "aria-expanded": false },
    );
    return () => onExpand({ "aria-expanded": false });
  }, [hasList, chosen, list, onExpand]);

  useEffect(() => {
    const change = () => {
      setTyped(field.value);
      setFocused(true);
      setChosen(-1);
    };
    const close = () => {
      setFocused(false);
      setChosen(-1);
    };
    const press = (event: KeyboardEvent) => {
      if (off || event.isComposing) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) {
        event.preventDefault();
        setFocused(true);
        if (!hasList) return;
        // one more option than products: all results
        const all = places.length + 1;
        setChosen(((chosen + 1 + step + all) % all) - 1);
      } else if (event.key === "Enter") {
        close();
        const to = hasList && places[chosen];
        if (!to) return;
        event.preventDefault();
        navigate(to);
      } else if (event.key === "Escape" && open) {
        event.preventDefault();
        close();
      }
    };
    field.addEventListener("input", change);
    field.addEventListener("keydown", press);
    field.addEventListener("blur", close);
    return () => {
      field.removeEventListener("input", change);
      field.removeEventListener("keydown", press);
      field.removeEventListener("blur", close);
    };
  });

  // typed between the first render and now
  useEffect(() => setTyped(field.value), [field]);
  useEmptyOnLeave(field);

  if (!open) return null;
  if (!found) return <NoSuggestions>Suggestions could not be loaded. Press Enter to search.</NoSuggestions>;
  const { tools, total } = found;
  if (tools.length === 0) return <NoSuggestions>No tool matches “{q}”.</NoSuggestions>;
  const option = (at: number) => ({
    id: `${list}-${at}`,
    role: "option" as const,
    "aria-selected": at === chosen,
    tabIndex: -1,
    to: places[at] as string,
    onClick: () => setFocused(false),
  });
  return (
    <div className="sugg" onPointerDown={(event) => event.preventDefault()}>
      <p className="vh" role="status">
        {counted(tools.length, "suggestion")}
      </p>
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

/** A search belongs to the page it was made on. */
function useEmptyOnLeave(field: HTMLInputElement): void {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    if (pathname !== "/tools") field.value = "";
  }, [field, pathname]);
}

function NoSuggestions({ children }: { children: React.ReactNode }) {
  return (
    <p className="sugg sugg__none" role="status">
      {children}
    </p>
  );
}

type Found = Output<"suggestTools">;

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
  return response.json();
}
