/** Appearance settings that this browser remembers. The head script applies them before the first paint. */
import { useSyncExternalStore } from "react";

export const theme = rememberedChoice("theme", "system", ["light", "dark"]);
export const density = rememberedChoice("density", "comfortable", ["compact"]);

/** Stores any value but `usual` under `stator.<name>`, and in `data-<name>` of the document for the stylesheet. */
function rememberedChoice<Usual extends string, Other extends string>(
  name: string,
  usual: Usual,
  others: Other[],
) {
  const key = `stator.${name}`;
  const listeners = new Set<() => void>();
  const read = (): Usual | Other => others.find((other) => other === localStorage.getItem(key)) ?? usual;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    choose(value: Usual | Other): void {
      const { dataset } = document.documentElement;
      if (value === usual) {
        localStorage.removeItem(key);
        delete dataset[name];
      } else {
        localStorage.setItem(key, value);
        dataset[name] = value;
      }
      for (const listener of listeners) listener();
    },
    /** `usual` on the server. */
    useValue: () => useSyncExternalStore<Usual | Other>(subscribe, read, () => usual),
  };
}
