import { Panel } from "../../components/panel.tsx";
import { singleKeys } from "../../components/remembered-choice.ts";
import { useHydrated } from "../../data/use-browser-value.ts";

export function KeyboardPanel() {
  const isOn = singleKeys.useValue() === "on";
  // the server does not know what the browser remembers
  const isHydrated = useHydrated();
  return (
    <Panel title="Keyboard">
      <p className="soft">
        Keys without Ctrl or Alt, such as <kbd>/</kbd> for the search, can be switched off for dictation. This
        browser remembers it.
      </p>
      <label className="check">
        <input
          type="checkbox"
          checked={isOn}
          disabled={!isHydrated}
          onChange={(event) => singleKeys.choose(event.target.checked ? "on" : "off")}
        />
        Single-key shortcuts
      </label>
    </Panel>
  );
}
