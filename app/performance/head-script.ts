import { PROTECTED_PATHS } from "virtual:protected-paths";
import { earlyInteractionsScript } from "./early-interactions.ts";

/**
 * Runs in <head> before the first paint; the same bytes on every page, because the Content-Security-Policy names its
 * hash. It
 * - replaces storage that the browser refuses, as with all cookies blocked, by one for as long as the document is open;
 * - applies what the browser remembers: theme, density, single-key shortcuts, the signed-in user's name, the lines in the
 *   cart, whether this is the first visit;
 * - redirects a visitor from a protected page to /login and removes a left-over token;
 * - records interactions until hydration, and focuses the search on "/" and the newest toast on F6.
 *
 * Once the first paint is on the screen it loads what server/http/optimize-html.ts deferred: scripts, stylesheet and
 * typeface. Some browsers do not report paints, so it waits 300 ms at most. Stylesheet and typeface are applied together,
 * for one layout instead of two, and before hydration; without the typeface the fallback stays. A stylesheet that is
 * applied replaces its critical CSS, which must not outlive the page on client navigation.
 */
export const headScript =
  () => `(function(){var d=document,h=d.documentElement,sheets=[],painted=false,stylesApplied=false,w=null;
["local","session"].forEach(function(k){k+="Storage";try{window[k].length}catch(e){var m=new Map;
Object.defineProperty(window,k,{value:{getItem:function(n){return m.has(n)?m.get(n):null},setItem:function(n,v){m.set(n,String(v))},removeItem:function(n){m.delete(n)}}})}});
function turnOn(s){s.media="all";var c=s.previousElementSibling;if(c&&"critical"in c.dataset)c.remove()}
function applyStyles(){stylesApplied=true;sheets.forEach(turnOn)}
function loadDeferred(){if(painted)return;painted=true;
if("firstVisit"in h.dataset)h.dataset.firstVisit="painted";
d.fonts.load('1rem "Archivo Variable"').then(function(){h.dataset.typeface=""},function(){}).then(applyStyles);
d.querySelectorAll("link[rel=later]").forEach(function(l){l.rel="modulepreload"});
var later=d.querySelector("script[type=later]");if(!later)return;
var s=d.createElement("script");s.type="module";s.textContent=later.textContent;d.head.append(s)}
d.addEventListener("load",function(e){var s=e.target;if(s.rel==="stylesheet"&&s.media==="print")stylesApplied?turnOn(s):sheets.push(s)},true);
d.addEventListener("hydrated",applyStyles);
d.addEventListener("DOMContentLoaded",function(){if(d.hidden)return loadDeferred();setTimeout(loadDeferred,300);
try{new PerformanceObserver(loadDeferred).observe({type:"paint",buffered:true})}catch(e){}});
var u=navigator.userAgent;h.dataset.system=/Android/.test(u)?"Android":/Linux|CrOS/.test(u)?"Linux":"";
try{var t=localStorage.getItem("stator.theme");if(t==="light"||t==="dark")h.dataset.theme=t;
if(localStorage.getItem("stator.density")==="compact")h.dataset.density="compact";
if(localStorage.getItem("stator.singleKeys")==="off")h.dataset.singleKeys="off";
w=JSON.parse(localStorage.getItem("stator.person"));
var n=localStorage.getItem("stator.cart-count:"+(w&&w.email||""));if(n){h.dataset.cart=n;h.style.setProperty("--cart",JSON.stringify(n));h.style.setProperty("--cart-lines",n)}
if(!sessionStorage.getItem("stator.visited"))h.dataset.firstVisit=""}catch(e){}
if(w&&w.email){h.dataset.signedIn=w.role==="admin"?"admin":"user";h.style.setProperty("--user-name",JSON.stringify(w.name||w.email))}
else if(${PROTECTED_PATHS}.test(location.pathname)){h.dataset.leaving="";try{localStorage.removeItem("accessToken")}catch(e){}
location.replace("/login?from="+encodeURIComponent(location.pathname+location.search))}
d.addEventListener("keydown",function(e){var t=e.target,f=d.getElementById("search"),b=e.key==="F6"&&d.querySelector(".toasts button");
if(b){e.preventDefault();b.focus()}
if(e.key!=="/"||h.dataset.singleKeys||e.ctrlKey||e.metaKey||e.altKey||!f||t.isContentEditable||t.matches("input:not([type=checkbox],[type=radio]),textarea,select"))return;
e.preventDefault();f.focus();f.select()});
})();${earlyInteractionsScript}`;
