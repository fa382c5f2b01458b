import { useEffect } from "react";

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

declare global {
  interface Window {
    /**
     * Stops recording. Returns the typed values by field, and the last press: a button, or a form with its submitter.
     */
    takeEarlyEvents?: () => [Map<Field, string>, ([HTMLElement, (HTMLElement | null)?] | null)?];
  }
}

/**
 * Records interactions before hydration, which takes up to a second on a slow connection: clicks on buttons, submits
 * of forms that would post without script, changed filters and typed text; rows pasted into an entry row, whose input
 * would join them to one line, are replayed here. Links and native behaviour are left alone. A progress bar runs while
 * a press or a paste waits. Part of the head script.
 */
export const earlyInteractionsScript = `(function(w,d){var last=null,typed=new Map(),rows=[];
function keep(e){var t=e.target,f=t.form,g=f&&f.method==="get";
if(e.type==="paste"){var c=new DataTransfer,p=e.clipboardData.getData("text/plain");if(/-entry$/.test(t.id)&&/[\\t\\r\\n]/.test(p.trim())){c.setData("text/plain",p);e.preventDefault();rows.push([t,new ClipboardEvent("paste",{clipboardData:c,bubbles:true,cancelable:true})]);d.dataset.early=""}return}
if(/^(input|change)$/.test(e.type)&&!g&&/^(INPUT|TEXTAREA|SELECT)$/.test(t.tagName)){if(!/^(checkbox|radio|file)$/.test(t.type))typed.set(t,t.value);return}
var b=e.type==="submit"?t.method==="post"&&t:e.type==="click"?t.closest&&t.closest("button:not([type=submit],[popovertarget])"):e.type==="change"&&g&&!/^(search|text)$/.test(t.type)&&f;
if(!b)return;if(e.type!=="change"){e.preventDefault();e.stopImmediatePropagation()}
last=[b,e.submitter];d.dataset.early=""}
var kinds=["click","submit","change","input","paste"];kinds.forEach(function(k){w.addEventListener(k,keep,true)});
w.takeEarlyEvents=function(){kinds.forEach(function(k){w.removeEventListener(k,keep,true)});delete d.dataset.early;delete w.takeEarlyEvents;setTimeout(function(){rows.forEach(function(r){r[0].dispatchEvent(r[1])})});return[typed,last]}})(window,document.documentElement);`;

/** Announces hydration and replays the recorded interactions. For the root, whose effects run last. */
export function useReplayEarlyEvents(): void {
  useEffect(() => {
    document.dispatchEvent(new Event("hydrated"));
    const [typed, press] = window.takeEarlyEvents?.() ?? [];
    if (typed) void replayEarlyEvents(typed, press);
  }, []);
}

async function replayEarlyEvents(
  typed: Map<Field, string>,
  press?: [HTMLElement, (HTMLElement | null)?] | null,
) {
  for (const [field, value] of typed) {
    // one at a time: the state of a form may be one object
    await null;
    if (field.isConnected) replayInput(field, value);
  }
  const [pressed, by] = press ?? [];
  if (!pressed?.isConnected) return;
  if (pressed instanceof HTMLFormElement) pressed.requestSubmit(by);
  else pressed.click();
}

/** React ignores an event whose value equals the one it last set, so the value is set bypassing React. */
function replayInput(field: Field, value: string) {
  field.value = "";
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
}
