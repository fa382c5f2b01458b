/** To the letter: odd spellings are approved, numbers have no separators (1240, not 1,240). Safe in a browser. */

// separate: every page shows labels, few show messages
export { labels } from "./labels.ts";

export const messages = {
  /** Section 5, login; the password reset toasts are of sections 5 and 8. */
  login: {
    emailRequired: "Email is required",
    emailInvalid: "Provide a valid email",
    passwordRequired: "Password is required",
    provideEmailFirst: "Please Provide Email First",
    resetEmailSent: "Password Reset Email Sent Successfully",
  },
  /** Section 5, register. */
  register: {
    nameRequired: "Name is Required",
    emailRequired: "Email is required",
    emailInvalid: "Provide a valid email",
    passwordRequired: "Password is required",
    passwordTooShort: "Password should be at least 6 charecter",
  },
  /** Section 5, purchase form; section 7, POST /purchase. */
  purchase: {
    addressRequired: "Address is required",
    belowMinimum: (min: number) => `You have to purchase at least ${min} products`,
    aboveStock: (stock: number) => `Purchase qauntity is maximum ${stock}`,
    succeeded: "Purchased Successfully",
  },
  /** Section 7, DELETE /purchase/{id} and PATCH /shipment/{id}. */
  orders: {
    cancelled: "Orrder is cancelled successfully",
    shipped: "Product shipping successfully",
  },
  /** Section 8. */
  payment: {
    succeeded: "Congratulation your payment is done successdully",
  },
  /** Section 5, review; section 7, POST /reviews. */
  review: {
    /** Required by section 5, which gives no text for these two. */
    ratingRequired: "Rating is required",
    textRequired: "Review is required",
    negative: "review cam't be a negative value",
    aboveMaximum: "Maximum 5 Star review available",
    added: "Thanks For Your Review",
  },
  /** Section 5, add product; section 7, POST and DELETE /products. */
  product: {
    nameRequired: "Name is Required",
    priceRequired: "Price is required",
    quantityRequired: "Product Quantity is required",
    minimumOrderRequired: "Minimum Order Number is required",
    descriptionRequired: "Description is required",
    pictureRequired: "Product picture is required",
    added: "Product Added SuccessFully",
    deleted: "Orrder is deleted successfully",
  },
  /** Section 7, PUT /updateProfile/{email}. */
  profile: {
    updated: "Updated SuccessFully",
  },
  /** Section 7, PUT /user/admin/{email}. */
  admin: {
    made: "Admin created successfully",
  },
} as const;
