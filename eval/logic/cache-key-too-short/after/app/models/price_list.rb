class PriceList
  def initialize(tenant)
    @tenant = tenant
  end

  def rows
    Rails.cache.fetch("price-list/#{Date.current}", expires_in: 1.hour) do
      Price.where(tenant: @tenant).order(:sku).to_a
    end
  end
end
