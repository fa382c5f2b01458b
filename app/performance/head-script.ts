import { PROTECTED_PATHS } from "virtual:route-patterns";
import { earlyInteractionsScript } from "./early-interactions.ts";

/**
 * Runs in <head> before the first paint, the same bytes on every page (the Content-Security-Policy names its hash).
 * It sets the chosen theme and density, the system (whose typeface stands in), the signed-in hint with the person's name
 * for the header, marks the first visit for the hero's one motion, sends a visitor from the page of a tool to /login
 * without the token, remembering the origin, and keeps what is pressed until the page is alive. When the page has been
 * painted it lets the motion begin and calls what server/http/optimize-html.ts has put off, the scripts and the whole
 * stylesheet, and the typeface. The slash key focuses the search from the first moment on. It waits until the paint is on the screen, for what runs meanwhile would delay it; not
 * for long, as some browsers do not tell. Stylesheet and typeface are worn together, which lays the page out once and not
 * twice, and before the page is alive; without a typeface what stands in stays.
 */
export const headScript =
  () => `(function(){var d=document,h=d.documentElement,sheets=[],painted=false,dressed=false,w=null;
function turnOn(s){s.media="all"}
function dress(){dressed=true;sheets.forEach(turnOn)}
function comeAlive(){if(painted)return;painted=true;
if("firstVisit"in h.dataset)h.dataset.firstVisit="painted";
d.fonts.load('1rem "Archivo Variable"').then(function(){h.dataset.typeface=""},function(){}).then(dress);
d.querySelectorAll("link[rel=later]").forEach(function(l){l.rel="modulepreload"});
var later=d.querySelector("script[type=later]");if(!later)return;
var s=d.createElement("script");s.type="module";s.textContent=later.textContent;d.head.append(s)}
d.addEventListener("load",function(e){var s=e.target;if(s.rel==="stylesheet"&&s.media==="print")dressed?turnOn(s):sheets.push(s)},true);
d.addEventListener("alive",dress);
d.addEventListener("DOMContentLoaded",function(){if(d.hidden)return comeAlive();setTimeout(comeAlive,300);
try{new PerformanceObserver(comeAlive).observe({type:"paint",buffered:true})}catch(e){}});
var u=navigator.userAgent;h.dataset.system=/Android/.test(u)?"Android":/Linux|CrOS/.test(u)?"Linux":"";
try{var t=localStorage.getItem("stator.theme");if(t==="light"||t==="dark")h.dataset.theme=t;
if(localStorage.getItem("stator.density")==="compact")h.dataset.density="compact";
w=JSON.parse(localStorage.getItem("stator.person"));
if(!sessionStorage.getItem("stator.visited"))h.dataset.firstVisit=""}catch(e){}
if(w&&w.email){h.dataset.signedIn=w.role==="admin"?"admin":"user";h.style.setProperty("--person",JSON.stringify(w.name||w.email))}
else if(${PROTECTED_PATHS}.test(location.pathname)){h.dataset.leaving="";try{localStorage.removeItem("accessToken")}catch(e){}
location.replace("/login?from="+encodeURIComponent(location.pathname+location.search))}
d.addEventListener("keydown",function(e){var t=e.target,f=d.getElementById("search");
if(e.key!=="/"||e.ctrlKey||e.metaKey||e.altKey||!f||t.isContentEditable||t.matches("input:not([type=checkbox],[type=radio]),textarea,select"))return;
e.preventDefault();f.focus();f.select()});
})();${earlyInteractionsScript}`;
