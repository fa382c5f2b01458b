import { Panel } from "../../components/panel.tsx";
import { singleKeys } from "../../components/remembered-choice.ts";

export function KeyboardPanel() {
  const isOn = singleKeys.useValue() === "on";
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
          onChange={(event) => singleKeys.choose(event.target.checked ? "on" : "off")}
        />
        Single-key shortcuts
      </label>
    </Panel>
  );
}
