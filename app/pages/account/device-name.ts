const displayNames: Record<string, string> = { Edg: "Edge", OPR: "Opera", "Mac OS X": "macOS" };

/** The browser and system in a user agent, roughly. */
export function deviceName(agent = ""): string {
  const browser = /Edg|Firefox|OPR|Chrome|Safari/.exec(agent)?.[0];
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(agent)?.[0];
  const name = browser ? (displayNames[browser] ?? browser) : "Unknown device";
  return system ? `${name} on ${displayNames[system] ?? system}` : name;
}
