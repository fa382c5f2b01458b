/** Browsers send fewer. */
const MAX_LANGUAGES = 10;

export function localeIn(header = ""): string {
  const preferred = header
    .split(",", MAX_LANGUAGES)
    .map(preferenceOf)
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight);
  for (const { language } of preferred) {
    const locale = supported(language);
    if (locale) return locale;
  }
  return "en-US";
}

function preferenceOf(entry: string) {
  const [language = "", weight = "1"] = entry.split(/;\s*q=/i).map((part) => part.trim());
  return { language, weight: Number(weight) };
}

/** As resolved, so that there are only as many as the system has. */
function supported(language: string): string | undefined {
  try {
    if (Intl.NumberFormat.supportedLocalesOf(language).length === 0) return undefined;
    return new Intl.Locale(new Intl.NumberFormat(language).resolvedOptions().locale).baseName;
  } catch {
    return undefined;
  }
}
