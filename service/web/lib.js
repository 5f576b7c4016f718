// The one place that names the vendored library: an update changes this line and a file name.
export {
  html, h, render, createContext, useState, useEffect, useLayoutEffect, useRef, useMemo, useCallback, useContext,
  useErrorBoundary,
} from "./vendor/htm-preact-3.1.1.js";
