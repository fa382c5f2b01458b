import type { accountCalls } from "../../api/account-calls.ts";
import { refuseField } from "../../shop/refusal.ts";
import { refusals } from "../../shop/refusals.ts";
import { closeUser } from "../../shop/users/close.ts";
import { collectData } from "../../shop/users/data.ts";
import { forgetUser } from "../../shop/users/forget.ts";
import { endOtherSessions, endSession, findAccount, listSessions } from "../../shop/users/sessions.ts";
import type { OperationsOf } from "./operations.ts";

export const accountOperations: OperationsOf<typeof accountCalls> = {
  findAccount: ({ store }, { person, proof }) => findAccount(store, person, proof),
  listSessions: ({ store }, { person, proof }) => listSessions(store, person, proof.sessionId),
  endSession: ({ store }, { person, params }) => endSession(store, person, params.id),
  endOtherSessions: ({ store }, { person, proof }) => endOtherSessions(store, person, proof.sessionId),
  confirmAccount: async ({ identity }, { person, proof, body }) => {
    const { internalAdapter, password } = await identity.$context;
    const account = await internalAdapter.findCredentialAccount(person.id);
    if (!account?.password) return refuseField("password", refusals.noPassword);
    if (!(await password.verify({ hash: account.password, password: body.password })))
      return refuseField("password", refusals.wrongPassword);
    await identity.proofs.confirm(proof.sessionId, { secondFactor: false });
    return { fresh: true };
  },
  downloadData: ({ store }, { person, proof }) => collectData(store, person, proof),
  closeUser: ({ store }, { params, body }) => closeUser(store, params.email, body.closed),
  deleteAccount: ({ store }, { person }) => forgetUser(store, person),
};
