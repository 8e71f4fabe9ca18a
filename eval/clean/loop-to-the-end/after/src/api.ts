/** Pages are counted from 1 to `pages`. */
export declare function fetchPage(page: number): Promise<{ entries: string[]; pages: number }>;
