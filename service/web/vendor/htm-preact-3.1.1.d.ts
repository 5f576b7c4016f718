// The little of the library's types that we use; its own are not part of the vendored file.
export type Node = any;
export function html(strings: TemplateStringsArray, ...values: any[]): any;
export function h(type: any, props?: any, ...children: any[]): any;
export function render(node: any, parent: Element): void;
export function createContext<T>(value: T): any;
export function useState<T>(initial: T | (() => T)): [T, (next: T | ((old: T) => T)) => void];
export function useReducer<S, A>(reducer: (state: S, action: A) => S, initial: S): [S, (action: A) => void];
export function useEffect(effect: () => void | (() => void), deps?: any[]): void;
export function useLayoutEffect(effect: () => void | (() => void), deps?: any[]): void;
export function useRef<T>(initial: T): { current: T };
export function useMemo<T>(make: () => T, deps?: any[]): T;
export function useCallback<T>(f: T, deps: any[]): T;
export function useContext(context: any): any;
export function useErrorBoundary(handle?: (error: any) => void): [any, () => void];
