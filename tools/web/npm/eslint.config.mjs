// What ESLint asks of the page and its engine, besides what it recommends.

import js from "@eslint/js";

const names = ["ArrayBuffer", "TextDecoder", "TextEncoder", "URL", "WebAssembly", "fetch"];

export default [
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  {
    languageOptions: { globals: Object.fromEntries(names.map((name) => [name, "readonly"])) },
    rules: {
      "array-callback-return": "error",
      "consistent-return": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-unneeded-ternary": "error",
      "no-unused-vars": ["error", { varsIgnorePattern: "^_+$" }],
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-arrow-callback": "error",
      "prefer-const": "error",
    },
  },
  { files: ["**/page/*.js"], rules: { "no-undef": "off" } }, // TypeScript knows what a browser has
];
