import type { z } from "zod";
import type { reviewForm } from "../../api/review-form.ts";

export type SampleReview = z.input<typeof reviewForm> & { name: string };

export const sampleReviews: readonly SampleReview[] = [
  {
    name: "Marta Oyelaran",
    rating: 5,
    description:
      "Ordered forty grinders on a Monday, the pallet was at our yard on Wednesday. Every guard was fitted and every serial number matched the packing list.",
  },
  {
    name: "Jonas Pettersson",
    rating: 5,
    description:
      "We replaced three brands with one. The drill drivers share a battery with the lights, so the crew carries half the chargers it used to.",
  },
  {
    name: "Elena Vasquez",
    rating: 4,
    description:
      "The rotary hammer is quieter in the hand than what we had. I would like a second side handle in the case, otherwise nothing to complain about.",
  },
  {
    name: "Dawit Bekele",
    rating: 5,
    description:
      "Minimum orders are fair for a shop our size. The total is worked out before you commit, and the purchase order lands in the dashboard at once.",
  },
  {
    name: "Priya Raman",
    rating: 4,
    description:
      "Sanders run cool and the dust pickup is honest. One carton had a crushed corner, the tools inside were fine.",
  },
  {
    name: "Tomasz Zielinski",
    rating: 5,
    description:
      "Two years, eleven circular saws, one brush change. The magnesium base still sits flat on the rail.",
  },
  {
    name: "Ingrid Halloran",
    rating: 4.5,
    description:
      "We run twelve of these grinders on two crews. Brushes are easy to reach and the guard turns without a key. A longer cable would make it five.",
  },
  {
    name: "Samuel Adeyemi",
    rating: 4.5,
    description:
      "The extractor keeps its suction through a day of chasing walls. Filter cleaning is loud the first time and then you stop hearing it.",
  },
  {
    name: "Hanna Virtanen",
    rating: 3.5,
    description:
      "Good jigsaw, straight cuts in worktops. The plastic shoe was missing from two of fifteen boxes. It came by post three days after I wrote.",
  },
  {
    name: "Carlos Mendes",
    rating: 5,
    description:
      "Mitre saw was square out of the carton. I checked the fence with a machinist's square and left it as it was.",
  },
  {
    name: "Aiko Tanaka",
    rating: 4,
    description:
      "Soldering stations for a training room of twenty. They heat fast and the stands are heavy enough. The manual could say more about calibration.",
  },
  {
    name: "Ruben de Wit",
    rating: 2.5,
    description:
      "The chainsaw cuts well, but the bar oil leaked in the carton on the way. Cleaned it up and it has been dry since. Packing needs a second look.",
  },
];
