/** The library requires a second factor only after a password; Google's tokens do not say whether Google did. */
import { createAuthMiddleware } from "better-auth/api";
import type { twoFactor } from "better-auth/plugins";

type Plugin = ReturnType<typeof twoFactor>;

export const isCallback = (path: string | undefined) => /^\/(oauth2\/)?callback\//.test(path ?? "");

/** The library's plugin, which also requires the code before a session opened by Google is used. */
export function requireAfterGoogle<Options extends Plugin>(plugin: Options): Options {
  const after = plugin.hooks.after.map((hook) => ({
    ...hook,
    matcher: (context: Parameters<typeof hook.matcher>[0]) =>
      hook.matcher(context) || isCallback(context.path),
  }));
  return { ...plugin, hooks: { ...plugin.hooks, after: [...after, { matcher, handler: redirectToCode }] } };
}

const matcher = ({ path }: { path?: string }) => isCallback(path);

/** The plugin responds as to a form; a user who returns from Google is redirected to the login page for the code. */
const redirectToCode = createAuthMiddleware(async (context) => {
  const { returned, responseHeaders } = context.context;
  if (!(returned as { twoFactorRedirect?: true } | undefined)?.twoFactorRedirect) return;
  const location = responseHeaders?.get("location") ?? "/login";
  throw context.redirect(`${location}${location.includes("?") ? "&" : "?"}code=1`);
});
