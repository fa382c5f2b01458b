/**
 * Runs in <head> before the first paint, the same bytes on every page (the Content-Security-Policy names its hash).
 * It sets the chosen theme, the signed-in hint with the person's name for the header, marks the first visit for the
 * hero's one motion, turns on the whole stylesheet when it has come, and sends who has no session from a protected
 * path to /login, remembering the origin. When the document is there it calls the scripts that
 * server/http/first-paint.ts has put off; the page counts as loaded only with them.
 */
export const headScript = `(function(){var d=document,h=d.documentElement,w=null;
function comeAlive(){
d.querySelectorAll("link[rel=later]").forEach(function(l){l.rel="modulepreload"});
var later=d.querySelector("script[type=later]");if(!later)return;
var s=d.createElement("script");s.type="module";s.textContent=later.textContent;d.head.append(s)}
d.addEventListener("load",function(e){var s=e.target;if(s.rel==="stylesheet"&&s.media==="print")s.media="all"},true);
d.addEventListener("DOMContentLoaded",comeAlive);
try{var t=localStorage.getItem("stator.theme");if(t==="light"||t==="dark")h.dataset.theme=t;
w=JSON.parse(localStorage.getItem("stator.person"));
if(!sessionStorage.getItem("stator.visited"))h.dataset.firstVisit=""}catch(e){}
if(w&&w.email){h.dataset.signedIn=w.role==="admin"?"admin":"user";h.style.setProperty("--person",JSON.stringify(w.name||w.email))}
else if(/^\\/(product|dashboard)(\\/|$)/i.test(location.pathname)){h.dataset.leaving="";location.replace("/login?from="+encodeURIComponent(location.pathname+location.search))}
})()`;
