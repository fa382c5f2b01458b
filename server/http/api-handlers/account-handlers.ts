import type { accountCalls } from "../../../api/account-calls.ts";
import { setAccountClosed } from "../../../shop/accounts/close-account.ts";
import { deleteAccount } from "../../../shop/accounts/delete-account.ts";
import { exportData } from "../../../shop/accounts/export-data.ts";
import { listPasskeys } from "../../../shop/accounts/passkeys.ts";
import { listActivity, recordOwnEvent } from "../../../shop/accounts/security-events.ts";
import { endOtherSessions, endSession, findAccount, listSessions } from "../../../shop/accounts/sessions.ts";
import { refuseField } from "../../../shop/refusal.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import type { HandlersOf } from "./handlers.ts";

export const accountHandlers: HandlersOf<typeof accountCalls> = {
  findAccount: ({ store }, { person, proof }) => findAccount(store, person, proof),
  listSessions: ({ store }, { person, proof }) => listSessions(store, person, proof.sessionId),
  endSession: ({ store }, { person, params }) => endSession(store, person, params.id),
  endOtherSessions: ({ store }, { person, proof }) => endOtherSessions(store, person, proof.sessionId),
  listPasskeys: ({ store }, { person }) => listPasskeys(store, person),
  listActivity: ({ store }, { person, query }) => listActivity(store, person, query),
  confirmAccount: async ({ identity, store }, { person, proof, body }) => {
    const { internalAdapter, password } = await identity.$context;
    const account = await internalAdapter.findCredentialAccount(person.id);
    if (!account?.password) return refuseField("password", refusals.noPassword);
    if (!(await password.verify({ hash: account.password, password: body.password }))) {
      await recordOwnEvent(store, person, "Confirmation refused", "wrong password");
      return refuseField("password", refusals.wrongPassword);
    }
    await identity.proofs.confirm(proof.sessionId, { secondFactor: false });
    await recordOwnEvent(store, person, "Confirmed", "with the password");
    return { fresh: true };
  },
  downloadData: ({ store }, { person, proof }) => exportData(store, person, proof),
  closeUser: ({ store }, { params, body }) => setAccountClosed(store, params.email, body.closed),
  deleteAccount: ({ store }, { person }) => deleteAccount(store, person),
};
