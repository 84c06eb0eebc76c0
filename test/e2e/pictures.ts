/** In what the pictures of the product are taken: by the names that they get, the names of VS Code 1.139. */
export const themes = {
  dark: 'Dark Modern',
  light: 'Light Modern',
  'high-contrast': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
};

/** Widths of the side bar, in pixels. */
export const wide = 390;
export const narrow = 250;
