/** The order of the test files: the longest begin first, so that none of them is still running when all others are done. */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Those of a quarter of a minute and more, the longest first. */
const LONG = [
  "e2e/states",
  "e2e/screens",
  "e2e/budget",
  "chaos/kill",
  "chaos/backlog",
  "chaos/launcher",
  "e2e/admin",
  "http/access",
  "integration/payments/disputes",
  "races/pairs",
  "integration/database/embedded",
  "e2e/dashboard",
  "e2e/guards",
  "e2e/keyboard",
  "integration/reconciliation/doctor",
  "integration/payments/payment-lifecycle",
  "integration/payments/silence",
  "e2e/home",
  "e2e/payment",
  "e2e/identity",
  "security/abuse",
  "e2e/product",
  "integration/catalogue/many-at-once",
  "integration/catalogue/index-cache",
  "e2e/reconciliation",
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) => {
      const name = relative(`${project.config.root}/test`, moduleId).replace(/\.test\.ts$/, "");
      return LONG.includes(name) ? LONG.indexOf(name) : LONG.length;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}
