/**
 * Runs in <head> before the first paint, the same bytes on every page (the Content-Security-Policy names its hash).
 * It sets the chosen theme, the signed-in hint with the person's name for the header, marks the first visit for the
 * hero's one motion, turns on the whole stylesheet when it has come (server/http/first-paint.ts), and sends who has no session from a protected path to /login, remembering the origin.
 */
export const headScript = `(function(){var d=document.documentElement,w=null;
document.addEventListener("load",function(e){var s=e.target;if(s.rel==="stylesheet"&&s.media==="print")s.media="all"},true);
try{var t=localStorage.getItem("stator.theme");if(t==="light"||t==="dark")d.dataset.theme=t;
w=JSON.parse(localStorage.getItem("stator.person"));
if(!sessionStorage.getItem("stator.visited"))d.dataset.firstVisit=""}catch(e){}
if(w&&w.email){d.dataset.signedIn=w.role==="admin"?"admin":"user";d.style.setProperty("--person",JSON.stringify(w.name||w.email))}
else if(/^\\/(product|dashboard)(\\/|$)/i.test(location.pathname)){d.dataset.leaving="";location.replace("/login?from="+encodeURIComponent(location.pathname+location.search))}
})()`;
