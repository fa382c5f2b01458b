/** build/screens/README.md: the index of the screenshots. */
import type { Screen } from "./screens.ts";

const HEAD = `# Screens

Every screen and its states at 1440 and 390 pixels, light and dark. Written by \`npm run pictures\`.
`;

/** The page as Markdown. */
export function listOfScreens(screens: readonly Screen[]): string {
  return `${HEAD}\n${screens.map(section).join("\n")}`;
}

function section({ name, title, who, path, phoneOnly }: Screen): string {
  const picture = (device: string, theme: string) =>
    `<img src="${name}-${device}-${theme}.webp" alt="${title}, ${device}, ${theme}" height="280">`;
  const devices = phoneOnly ? ["phone"] : ["desk", "phone"];
  const pictures = devices.flatMap((device) => [picture(device, "light"), picture(device, "dark")]);
  return `## ${title}\n\n\`${path}\`, seen by ${withArticle(who)}\n\n${pictures.join("\n")}\n`;
}

function withArticle(who: Screen["who"]): string {
  return who === "admin" ? "an admin" : `a ${who}`;
}
