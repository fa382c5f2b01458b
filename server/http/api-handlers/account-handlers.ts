import { setAccountClosed } from "../../../shop/accounts/close-account.ts";
import { deleteAccount } from "../../../shop/accounts/delete-account.ts";
import { exportData } from "../../../shop/accounts/export-data.ts";
import { listPasskeys } from "../../../shop/accounts/passkeys.ts";
import { listActivity, recordOwnEvent } from "../../../shop/accounts/security-events.ts";
import { endOtherSessions, endSession, findAccount, listSessions } from "../../../shop/accounts/sessions.ts";
import { refuseField } from "../../../shop/refusal.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import type { Handlers } from "./handlers.ts";

export const accountHandlers = {
  findAccount: ({ store }, { user, authentication }) => findAccount(store, user, authentication),
  listSessions: ({ store }, { user, authentication }) => listSessions(store, user, authentication.sessionId),
  endSession: ({ store }, { user, params }) => endSession(store, user, params.id),
  endOtherSessions: ({ store }, { user, authentication }) =>
    endOtherSessions(store, user, authentication.sessionId),
  listPasskeys: ({ store }, { user }) => listPasskeys(store, user),
  listActivity: ({ store }, { user, query }) => listActivity(store, user, query),
  confirmAccount: async ({ identity, store }, { user, authentication, body }) => {
    const { internalAdapter, password } = await identity.$context;
    const account = await internalAdapter.findCredentialAccount(user.id);
    if (!account?.password) return refuseField("password", refusals.noPassword);
    if (!(await password.verify({ hash: account.password, password: body.password }))) {
      await recordOwnEvent(store, user, "Confirmation refused", "wrong password");
      return refuseField("password", refusals.wrongPassword);
    }
    await identity.reauthentication.confirm(authentication.sessionId, { secondFactor: false });
    await recordOwnEvent(store, user, "Confirmed", "with the password");
    return { fresh: true };
  },
  downloadData: ({ store }, { user, authentication }) => exportData(store, user, authentication),
  closeUser: ({ store }, { user, params, body }) => setAccountClosed(store, user, params.email, body.closed),
  deleteAccount: ({ store }, { user }) => deleteAccount(store, user),
} satisfies Partial<Handlers>;
