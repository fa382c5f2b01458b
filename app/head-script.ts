import { earlyPressScript } from "./early-press.ts";
import { PAGES_OF_PEOPLE } from "./guard.ts";

/**
 * Runs in <head> before the first paint, the same bytes on every page (the Content-Security-Policy names its hash).
 * It sets the chosen theme, the system (whose typeface stands in), the signed-in hint with the person's name for the
 * header, marks the first visit for the hero's one motion, sends who has no session from a protected path to /login
 * without the token, remembering the origin, and keeps what is pressed until the page is alive. When the page has been
 * painted it lets the motion begin and calls what server/http/first-paint.ts has put off, the whole stylesheet and the
 * scripts, and the typeface, which is worn when it is there; without it what stands in stays.
 */
export const headScript = `(function(){var d=document,h=d.documentElement,sheets=[],painted=false,w=null;
function turnOn(s){s.media="all"}
function comeAlive(){painted=true;sheets.forEach(turnOn);
if("firstVisit"in h.dataset)h.dataset.firstVisit="painted";
d.fonts.load('1rem "Archivo Variable"').then(function(){h.dataset.typeface=""},function(){});
d.querySelectorAll("link[rel=later]").forEach(function(l){l.rel="modulepreload"});
var later=d.querySelector("script[type=later]");if(!later)return;
var s=d.createElement("script");s.type="module";s.textContent=later.textContent;d.head.append(s)}
d.addEventListener("load",function(e){var s=e.target;if(s.rel==="stylesheet"&&s.media==="print")painted?turnOn(s):sheets.push(s)},true);
d.addEventListener("DOMContentLoaded",function(){d.hidden?comeAlive():requestAnimationFrame(function(){setTimeout(comeAlive)})});
var u=navigator.userAgent;h.dataset.system=/Android/.test(u)?"Android":/Linux|CrOS/.test(u)?"Linux":"";
try{var t=localStorage.getItem("stator.theme");if(t==="light"||t==="dark")h.dataset.theme=t;
w=JSON.parse(localStorage.getItem("stator.person"));
if(!sessionStorage.getItem("stator.visited"))h.dataset.firstVisit=""}catch(e){}
if(w&&w.email){h.dataset.signedIn=w.role==="admin"?"admin":"user";h.style.setProperty("--person",JSON.stringify(w.name||w.email))}
else if(${PAGES_OF_PEOPLE}.test(location.pathname)){h.dataset.leaving="";try{localStorage.removeItem("accessToken")}catch(e){}
location.replace("/login?from="+encodeURIComponent(location.pathname+location.search))}
})();${earlyPressScript}`;
