import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { productForm } from "../../api/product-form.ts";
import { reviewForm } from "../../api/review-form.ts";
import { sampleCatalogue } from "../../shop/sample-data/catalogue.ts";
import { sampleReviews } from "../../shop/sample-data/reviews.ts";

const drawings = new URL("../../public", import.meta.url).pathname;

describe("the sample catalogue", () => {
  test("has 30 tools with 30 item numbers, names and pictures", () => {
    expect(sampleCatalogue).toHaveLength(30);
    for (const key of ["itemNumber", "name", "picture"] as const) {
      expect(new Set(sampleCatalogue.map((tool) => tool[key])).size).toBe(30);
    }
  });

  test("begins with the six tools of the home page", () => {
    expect(sampleCatalogue.slice(0, 6).map((tool) => tool.name)).toEqual([
      "Drill driver",
      "Rotary hammer",
      "Angle grinder",
      "Circular saw",
      "Jigsaw",
      "Random orbit sander",
    ]);
  });

  test.each(sampleCatalogue.map((tool) => [tool.name, tool] as const))(
    "%s could be added by an admin and bought",
    (_, tool) => {
      expect(productForm.safeParse(tool).error).toBeUndefined();
      expect(tool.quantity).toBeGreaterThanOrEqual(tool.minimum_order);
      expect(existsSync(drawings + tool.picture)).toBe(true);
    },
  );

  test.each(sampleCatalogue.map((tool) => [tool.name, tool] as const))(
    "%s is completely described",
    (_, tool) => {
      expect(tool.description.length).toBeGreaterThanOrEqual(170);
      expect(tool.description.length).toBeLessThanOrEqual(320);
      expect(tool.technicalData?.length).toBeGreaterThanOrEqual(5);
      expect(tool.technicalData?.length).toBeLessThanOrEqual(8);
      expect([tool.category, tool.powerSource, tool.keyFact].every(Boolean)).toBe(true);
    },
  );

  test.each(sampleCatalogue.map((tool) => [tool.name, tool] as const))(
    "%s has the proportions of its drawing",
    (_, tool) => {
      const [, , drawnWidth, drawnHeight] = tool.drawnBox ?? [0, 0, 0, 0];
      const { width, height } = tool.dimensions ?? { width: 0, height: 0 };
      expect(Math.abs(width / height / (drawnWidth / drawnHeight) - 1)).toBeLessThan(0.02);
    },
  );
});

describe("the sample reviews", () => {
  test("are 12, and each could be written by a buyer", () => {
    expect(sampleReviews).toHaveLength(12);
    for (const review of sampleReviews) expect(reviewForm.safeParse(review).error).toBeUndefined();
  });
});
