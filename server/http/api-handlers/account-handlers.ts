import type { accountCalls } from "../../../api/account-calls.ts";
import { closeUser } from "../../../shop/accounts/close-account.ts";
import { forgetUser } from "../../../shop/accounts/delete-account.ts";
import { collectData } from "../../../shop/accounts/export-data.ts";
import { listPasskeys } from "../../../shop/accounts/passkeys.ts";
import { listActivity, noteOwn } from "../../../shop/accounts/security-events.ts";
import { endOtherSessions, endSession, findAccount, listSessions } from "../../../shop/accounts/sessions.ts";
import { refuseField } from "../../../shop/refusal.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import type { OperationsOf } from "./handlers.ts";

export const accountOperations: OperationsOf<typeof accountCalls> = {
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
      await noteOwn(store, person, "Confirmation refused", "wrong password");
      return refuseField("password", refusals.wrongPassword);
    }
    await identity.proofs.confirm(proof.sessionId, { secondFactor: false });
    await noteOwn(store, person, "Confirmed", "with the password");
    return { fresh: true };
  },
  downloadData: ({ store }, { person, proof }) => collectData(store, person, proof),
  closeUser: ({ store }, { params, body }) => closeUser(store, params.email, body.closed),
  deleteAccount: ({ store }, { person }) => forgetUser(store, person),
};
