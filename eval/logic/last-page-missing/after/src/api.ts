export interface Product {
  id: string;
  name: string;
}

/** Pages are counted from 1 to `pages`. */
export async function fetchPage(page: number): Promise<{ products: Product[]; pages: number }> {
  const response = await fetch(`https://catalogue.example/products?page=${page}`);
  return (await response.json()) as { products: Product[]; pages: number };
}
