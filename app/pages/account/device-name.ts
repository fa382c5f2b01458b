const names: Record<string, string> = { Edg: "Edge", OPR: "Opera", "Mac OS X": "macOS" };

/** The browser and system in a user agent, roughly. */
export function deviceName(agent = ""): string {
  const browser = /Edg|Firefox|OPR|Chrome|Safari/.exec(agent)?.[0];
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(agent)?.[0];
  const name = browser ? (names[browser] ?? browser) : "Unknown device";
  return system ? `${name} on ${names[system] ?? system}` : name;
}
