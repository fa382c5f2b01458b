/** Orders the test files by duration, so that no long one is left at the end. */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files on two cores, the slowest first. */
const LONG = [
  "e2e/screens",
  "e2e/states",
  "chaos/kill",
  "e2e/dev",
  "e2e/guards",
  "integration/database/embedded",
  "e2e/budget",
  "e2e/admin",
  "http/start",
  "http/bad-input",
  "security/abuse",
  "e2e/dashboard",
  "http/hold",
  "chaos/processes",
  "e2e/print",
  "e2e/identity",
  "e2e/home",
  "integration/database/connections",
  "security/accounts",
  "integration/payments/webhooks",
  "e2e/payment",
  "integration/reconciliation/doctor",
  "races/pairs",
  "integration/payments/disputes",
  "e2e/second-factor",
  "e2e/keyboard",
  "e2e/early",
  "security/fuzz",
  "e2e/leaving",
  "e2e/whole-journey",
  "architecture/statements",
  "http/access",
  "e2e/menus",
  "integration/payments/unexpected",
  "architecture/code",
  "e2e/price-breaks",
  "e2e/lost",
  "e2e/search",
  "e2e/watch",
  "e2e/reconciliation",
  "integration/payments/silence",
  "integration/reconciliation/run",
  "chaos/launcher",
  "e2e/density",
  "integration/orders/races",
  "integration/payments/payment-lifecycle",
  "e2e/product",
  "e2e/test-payments",
  "security/google",
  "integration/payments/banks",
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
