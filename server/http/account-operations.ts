import type { accountCalls } from "../../api/account-calls.ts";
import { refuseField } from "../../shop/refusal.ts";
import { refusals } from "../../shop/refusals.ts";
import { listActivity, noteOwn } from "../../shop/users/activity.ts";
import { closeUser } from "../../shop/users/close.ts";
import { collectData } from "../../shop/users/data.ts";
import { forgetUser } from "../../shop/users/forget.ts";
import { listPasskeys } from "../../shop/users/passkeys.ts";
import { endOtherSessions, endSession, findAccount, listSessions } from "../../shop/users/sessions.ts";
import type { OperationsOf } from "./operations.ts";

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
