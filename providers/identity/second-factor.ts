/**
 * The second factor after Google. The library asks for it after a password only; Google does not say in its tokens
 * whether it asked for one itself.
 */
import { createAuthMiddleware } from "better-auth/api";
import type { twoFactor } from "better-auth/plugins";

type Plugin = ReturnType<typeof twoFactor>;

/** Whether this is the way back from Google. */
export const isCallback = (path: string | undefined) => /^\/(oauth2\/)?callback\//.test(path ?? "");

/** The library's plugin, which also holds back a session that Google opened until a code is given. */
export function askedAfterGoogle<Options extends Plugin>(plugin: Options): Options {
  const after = plugin.hooks.after.map((hook) => ({
    ...hook,
    matcher: (context: Parameters<typeof hook.matcher>[0]) =>
      hook.matcher(context) || isCallback(context.path),
  }));
  return { ...plugin, hooks: { ...plugin.hooks, after: [...after, { matcher, handler: toTheCode }] } };
}

const matcher = ({ path }: { path?: string }) => isCallback(path);

/** The plugin answers as to a form of a page; a person who comes back from Google goes to the login page for the code. */
const toTheCode = createAuthMiddleware(async (context) => {
  const { returned, responseHeaders } = context.context;
  if (!(returned as { twoFactorRedirect?: true } | undefined)?.twoFactorRedirect) return;
  const back = responseHeaders?.get("location") ?? "/login";
  throw context.redirect(`${back}${back.includes("?") ? "&" : "?"}code=1`);
});
