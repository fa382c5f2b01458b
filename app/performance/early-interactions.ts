import { useEffect } from "react";

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

declare global {
  interface Window {
    /**
     * Ends the recording and gives what was typed, by field, and what was pressed last: a button, or a form and the
     * button that sends it.
     */
    takeEarlyPress?: () => [Map<Field, string>, ([HTMLElement, (HTMLElement | null)?] | null)?];
  }
}

/**
 * A page is seen before its script has loaded, on a slow line by a second. A button that is pressed until then is
 * pressed again as soon as it can do something, a form that would be posted as it is waits, filters that were changed
 * are sent, and what was typed is typed again; meanwhile the bar at the top runs. Links and what the browser does by
 * itself are left to it. Part of the script in the head.
 */
export const earlyInteractionsScript = `(function(w,d){var last=null,typed=new Map();
function keep(e){var t=e.target,f=t.form,g=f&&f.method==="get";
if(/^(input|change)$/.test(e.type)&&!g&&/^(INPUT|TEXTAREA|SELECT)$/.test(t.tagName)){if(!/^(checkbox|radio|file)$/.test(t.type))typed.set(t,t.value);return}
var b=e.type==="submit"?t.method==="post"&&t:e.type==="click"?t.closest&&t.closest("button:not([type=submit],[popovertarget])"):e.type==="change"&&g&&!/^(search|text)$/.test(t.type)&&f;
if(!b)return;if(e.type!=="change"){e.preventDefault();e.stopImmediatePropagation()}
last=[b,e.submitter];d.dataset.early=""}
var kinds=["click","submit","change","input"];kinds.forEach(function(k){w.addEventListener(k,keep,true)});
w.takeEarlyPress=function(){kinds.forEach(function(k){w.removeEventListener(k,keep,true)});delete d.dataset.early;delete w.takeEarlyPress;return[typed,last]}})(window,document.documentElement);`;

/** Does what was typed and pressed before the script was there. For the root: everything else is ready by then, and so it says. */
export function useEarlyInteractions(): void {
  useEffect(() => {
    document.dispatchEvent(new Event("alive"));
    const [typed, press] = window.takeEarlyPress?.() ?? [];
    if (typed) void replay(typed, press);
  }, []);
}

async function replay(typed: Map<Field, string>, press?: [HTMLElement, (HTMLElement | null)?] | null) {
  for (const [field, value] of typed) {
    // each by itself: the state of a form may be one object
    await null;
    if (field.isConnected) replayInput(field, value);
  }
  const [pressed, by] = press ?? [];
  if (!pressed?.isConnected) return;
  if (pressed instanceof HTMLFormElement) pressed.requestSubmit(by);
  else pressed.click();
}

/** React compares a field with the value that was set through it: set past it, the event is news to it. */
function replayInput(field: Field, value: string) {
  field.value = "";
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
}
