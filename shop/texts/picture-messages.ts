export const pictureMessages = {
  pictureRequired: "A tool needs a picture.",
  altRequired: "Describe the picture for people who cannot see it.",
  tooManyPictures: (most: number) => `A tool can have ${most} pictures.`,
  samePicture: "This picture is there already.",
};
