import { useEffect } from "react";

declare global {
  interface Window {
    /** Ends the keeping and gives what was pressed last: a button, or a form and the button that sends it. */
    takeEarlyPress?: () => [HTMLElement, (HTMLElement | null)?] | null;
  }
}

/**
 * A page is seen before its script is there, on a slow line by a second. A button that is pressed until then is
 * pressed again as soon as it can do something, a form that would be posted as it is waits, and filters that were
 * changed are sent; meanwhile the bar at the top runs. Links and what the browser does by itself are left to it.
 * Part of the script in the head.
 */
export const earlyPressScript = `(function(w,d){var last=null;
function keep(e){var t=e.target,f=t.form,b=e.type==="submit"?t.method==="post"&&t:e.type==="click"?t.closest&&t.closest("button:not([type=submit],[popovertarget])"):f&&f.method==="get"&&!/^(search|text)$/.test(t.type)&&f;
if(!b)return;if(e.type!=="change"){e.preventDefault();e.stopImmediatePropagation()}
last=[b,e.submitter];d.dataset.early=""}
var kinds=["click","submit","change"];kinds.forEach(function(k){w.addEventListener(k,keep,true)});
w.takeEarlyPress=function(){kinds.forEach(function(k){w.removeEventListener(k,keep,true)});delete d.dataset.early;delete w.takeEarlyPress;return last}})(window,document.documentElement);`;

/** Does what was pressed before the script was there. For the root: everything else is ready by then, and so it says. */
export function useEarlyPress(): void {
  useEffect(() => {
    document.dispatchEvent(new Event("alive"));
    const [pressed, by] = window.takeEarlyPress?.() ?? [];
    if (!pressed?.isConnected) return;
    if (pressed instanceof HTMLFormElement) pressed.requestSubmit(by);
    else pressed.click();
  }, []);
}
