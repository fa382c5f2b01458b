/** Orders the test files by duration, so that no long one is left at the end. */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files on two cores, the slowest first. */
const LONG = [
  "e2e/screens",
  "chaos/kill",
  "e2e/states",
  "e2e/lists",
  "integration/payments/disputes",
  "e2e/order-lines",
  "http/bad-input",
  "e2e/admin",
  "e2e/guards",
  "integration/payments/silence",
  "e2e/pictures",
  "e2e/dev",
  "integration/database/embedded",
  "e2e/budget",
  "chaos/processes",
  "http/start",
  "security/abuse",
  "e2e/dashboard",
  "http/hold",
  "e2e/print",
  "e2e/identity",
  "e2e/home",
  "integration/database/connections",
  "security/accounts",
  "integration/payments/webhooks",
  "e2e/payment",
  "integration/reconciliation/doctor",
  "races/pairs",
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
