import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useState } from "react";
import type { Output } from "../../../api/contract.ts";
import { call } from "../../data/api-client.ts";

export type SuggestedTool = Output<"suggestTools">["tools"][number];

const MIN_LENGTH = 2;
const PAUSE_MS = 60;

/** A field for a tool with suggestions: Enter or Tab chooses one; Enter without a list moves to the quantity. */
export function useToolCombobox(
  quantity: RefObject<HTMLInputElement | null>,
  onChoose: (tool: SuggestedTool) => void,
) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<SuggestedTool | null>(null);
  const [active, setActive] = useState(0);
  const [open, setOpen] = useState(false);
  const list = useId();
  const typed = text.trim();
  const { q, tools } = useSuggestions(open ? typed : "");
  const isOpen = open && tools.length > 0;

  function setTool(tool: SuggestedTool | null) {
    setChosen(tool);
    setText(tool ? (tool.itemNumber ?? tool.name) : "");
    setOpen(false);
  }

  function choose(tool: SuggestedTool) {
    setOpen(false);
    onChoose(tool);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const { key } = event;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (isOpen && step) setActive((active + step + tools.length) % tools.length);
    // not one that was suggested for less text
    else if (isOpen && q === typed && (key === "Enter" || (key === "Tab" && !event.shiftKey)))
      choose(tools[active] as SuggestedTool);
    else if (key === "Escape" && open) setOpen(false);
    else if (key !== "Enter") return;
    else if (typed) quantity.current?.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  const input = {
    role: "combobox",
    "aria-expanded": isOpen,
    "aria-controls": isOpen ? list : undefined,
    "aria-activedescendant": isOpen ? `${list}-${active}` : undefined,
    "aria-autocomplete": "list",
    autoComplete: "off",
    spellCheck: false,
    value: text,
    onChange: ({ target }: { target: HTMLInputElement }) => {
      setText(target.value);
      setChosen(null);
      setActive(0);
      setOpen(true);
    },
    onKeyDown,
    onBlur: () => setOpen(false),
  } as const;

  /** The list below the field, while it is open. */
  function renderList(children: (tool: SuggestedTool) => ReactNode) {
    if (!isOpen) return null;
    return (
      <div className="entry-list" role="listbox" id={list} aria-label="Tools">
        {tools.map((tool, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys
          <div
            key={tool._id}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(tool)}
          >
            {children(tool)}
          </div>
        ))}
      </div>
    );
  }

  return { typed, chosen, setTool, count: isOpen ? tools.length : 0, input, renderList };
}

/** The products that match `q`, which is an earlier text until they are loaded; none if they cannot be. */
function useSuggestions(q: string) {
  const [found, setFound] = useState({ q, tools: [] as SuggestedTool[] });
  useEffect(() => {
    if (q.length < MIN_LENGTH) {
      setFound({ q, tools: [] });
      return;
    }
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const outcome = await call("suggestTools", { query: { q } }, controller.signal).catch(() => null);
      if (outcome) setFound({ q, tools: outcome.ok ? outcome.data.tools : [] });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [q]);
  return found;
}
