import { useLocation, useMatches, useRouteError, useRouteLoaderData } from "react-router";
import type { loader } from "../root.tsx";

/** The page's URL and picture, for sharing. Error pages have neither. */
export function CanonicalLink() {
  const publicUrl = useRouteLoaderData<typeof loader>("root")?.config.publicUrl;
  const { pathname } = useLocation();
  const isMissing = useMatches().some(({ id }) => id === "not-found");
  const failed = Boolean(useRouteError());
  if (!publicUrl || isMissing || failed) return null;
  return (
    <>
      <link rel="canonical" href={publicUrl + pathname} />
      <meta property="og:url" content={publicUrl + pathname} />
      <meta property="og:image" content={`${publicUrl}/og.png`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content="Stator, electric tools from the factory" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
