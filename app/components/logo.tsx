import wordmark from "./wordmark.svg?raw";

// Every document contains the drawing, so the scripts omit it: 1.3 kB less per page.
const drawing = import.meta.env.SSR
  ? wordmark.replace(/^<svg[^>]*>|<\/svg>\s*$/g, "")
  : (document.querySelector(".wordmark")?.innerHTML ?? "");

/** The wordmark: the O is the stator's cross-section, its rotor dot always orange. */
export function Logo() {
  return (
    <svg
      className="wordmark"
      viewBox="0 0 217 48"
      width="136"
      height="30"
      aria-hidden="true"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of the build
      dangerouslySetInnerHTML={{ __html: drawing }}
    />
  );
}

/** For sizes at which the wordmark would be narrower than 96 px. */
export function Mark() {
  return (
    <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
      <circle cx="24" cy="24" r="19" fill="none" stroke="currentColor" strokeWidth="6" />
      <path
        d="M40.28 33.4L33.18 29.3M24 42.8L24 34.6M7.72 33.4L14.82 29.3M7.72 14.6L14.82 18.7M24 5.2L24 13.4M40.28 14.6L33.18 18.7"
        fill="none"
        stroke="currentColor"
        strokeWidth="5.8"
      />
      <circle cx="24" cy="24" r="5.6" fill="#FF5A1F" />
    </svg>
  );
}
