// What ESLint asks of the page and its engine, besides what it recommends; its layout `--fix` makes.

import js from "@eslint/js";
import stylistic from "@stylistic/eslint-plugin";

const names = ["ArrayBuffer", "TextDecoder", "TextEncoder", "URL", "WebAssembly", "fetch"];

const layout = stylistic.configs.customize({ quotes: "double", semi: true, arrowParens: true, braceStyle: "1tbs" });
/** Where a line is broken, whoever writes it decides. */
const free = ["indent-binary-ops", "list-style", "multiline-ternary", "operator-linebreak", "quote-props"];

export default [
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  layout,
  {
    languageOptions: { globals: Object.fromEntries(names.map((name) => [name, "readonly"])) },
    rules: {
      ...Object.fromEntries(free.map((name) => [`@stylistic/${name}`, "off"])),
      "@stylistic/quotes": ["error", "double", { avoidEscape: true }],
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
