export const pictureMessages = {
  pictureRequired: "A tool needs a picture.",
  altRequired: "Describe the picture for people who cannot see it.",
  tooManyPictures: (max: number) => `A tool can have ${max} pictures.`,
  samePicture: "This picture is there already.",
};
