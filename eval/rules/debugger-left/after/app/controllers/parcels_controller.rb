class ParcelsController < ApplicationController
  def show
    @parcel = current_account.parcels.find(params[:id])
    binding.pry
    @carrier = @parcel.carrier&.name
  end
end
