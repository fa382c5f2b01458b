/** Orders the test files by duration, so that no long one is left at the end. */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files on two cores, the slowest first. */
const LONG = [
  "e2e/screens",
  "chaos/kill",
  "e2e/states",
  "fleet/previous-release",
  "e2e/lists",
  "integration/reconciliation/doctor",
  "e2e/import",
  "chaos/backup",
  "http/bad-input",
  "e2e/cart",
  "e2e/admin",
  "races/pairs",
  "security/abuse",
  "integration/database/embedded",
  "architecture/code",
  "e2e/order-lines",
  "e2e/product-grid",
  "http/access",
  "chaos/import",
  "fleet/failover",
  "e2e/budget",
  "e2e/pictures",
  "integration/payments/disputes",
  "fleet/image",
  "security/fuzz",
  "integration/pictures/pictures",
  "e2e/lost",
  "integration/payments/silence",
  "integration/catalogue/index-cache",
  "security/accounts",
  "e2e/dashboard",
  "integration/reconciliation/idempotency",
  "e2e/identity",
  "chaos/backlog",
  "integration/catalogue/many-at-once",
  "chaos/processes",
  "e2e/home",
  "integration/payments/payment-lifecycle",
  "fleet/start",
  "e2e/keyboard",
  "e2e/admin-orders",
  "e2e/reconciliation",
  "integration/payments/unexpected",
  "fleet/pooler",
  "integration/generate",
  "integration/import/import",
  "e2e/payment",
  "chaos/launcher",
  "e2e/dev",
  "e2e/whole-journey",
  "integration/database/connections",
  "fleet/lost-node",
  "e2e/bulk-shipping",
  "integration/payments/banks",
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const name = relative(`${project.config.root}/test`, moduleId).replace(/\.test\.ts$/, "");
      return LONG.includes(name) ? LONG.indexOf(name) : LONG.length;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}
