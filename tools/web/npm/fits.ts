// What the package declares is what its sources are: this compiles if one has the types of the other.

import type * as declared from "./engine/engine.js";
import { EngineError, open } from "../../../strategy/web/site/engine.js";

export const opens: typeof declared.open = open;
export const refuses: typeof declared.EngineError = EngineError;
